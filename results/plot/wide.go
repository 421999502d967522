package plot

import (
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// dejaVu has the widths of the characters from the blank to ~ in DejaVu Sans, in thousandths of the size: of the fonts that programs
// take when those named in an SVG are not installed it is the widest in common use.
var dejaVu = [...]vg.Length{
	318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
	636, 636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
	1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
	603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
	500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
	635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
}

// wide returns the width of s in the wider of the figure's font and DejaVu Sans.
func wide(style text.Style, s string) vg.Length {
	sum := vg.Length(0)
	for _, r := range s {
		switch {
		case r < ' ':
		case r <= '~':
			sum += dejaVu[r-' ']
		case r == '±' || r == '×' || r == '÷' || r == '−':
			sum += 838
		case r == '–':
			sum += 500
		case r < 0x2000: // alphabets, at least most of them
			sum += 660
		default: // dashes, arrows and scripts with square characters
			sum += 1000
		}
	}
	return max(style.Width(s), sum/1000*style.Font.Size)
}
