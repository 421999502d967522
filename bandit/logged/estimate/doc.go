// Package estimate has the estimators of a policy's value from a log that another policy wrote, one in a file. Every
// estimator sees a Sample, whose weights and predictions package evaluate makes of a log and a policy, and returns one term
// per row: their mean is the estimate, and their spread its standard error.
package estimate
