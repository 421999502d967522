// Package logs shows what a log of pulls says of policies that did not write it: diagnostics first, then estimates with their
// intervals, as text, Markdown, CSV, JSON, figures and a page. Every column is declared once, in columns.go.
package logs
