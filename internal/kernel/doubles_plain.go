//go:build !amd64 || noasm

package kernel

const doublesAsm = false // the functions below are never called

func addScaledAsm(*float64, float64, *float64, int)              {}
func subtractOuterAsm(*float64, *float64, float64, int, int)     {}
func dotRowsAsm(*float64, *float64, *int, *int32, *float64, int) {}
func dotColumnsAsm(*float64, *float64, *float64, int)            {}
func quadColumnsAsm(*float64, *float64, *float64, int)           {}
