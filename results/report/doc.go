// Package report writes summaries and comparisons as tables: aligned text and Markdown for people,
// CSV and JSON, with all digits, for programs.
package report
