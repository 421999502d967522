package plot

import (
	"encoding/binary"
	"errors"
	"slices"
)

// keptTables are the tables of a TrueType font that a PDF needs: no others, such as those of kerning and of other scripts.
var keptTables = []string{"cmap", "cvt ", "fpgm", "glyf", "head", "hhea", "hmtx", "loca", "maxp", "post", "prep"}

var errFont = errors.New("plot: the font is not a TrueType font")

// subsetFont returns a TrueType font without the outlines of the glyphs that used does not have. Glyphs keep their numbers. The
// parts of composite glyphs are kept.
func subsetFont(font []byte, used map[int]bool) ([]byte, error) {
	tables, err := fontTables(font)
	if err != nil {
		return nil, err
	}
	head, loca, glyf := tables["head"], tables["loca"], tables["glyf"]
	if len(head) < 54 || len(tables["maxp"]) < 6 {
		return nil, errFont
	}
	n := int(binary.BigEndian.Uint16(tables["maxp"][4:]))
	size := 2
	long := binary.BigEndian.Uint16(head[50:]) == 1
	if long {
		size = 4
	}
	if len(loca) < size*(n+1) {
		return nil, errFont
	}
	outline := func(glyph int) ([]byte, error) {
		at := func(i int) int {
			if long {
				return int(binary.BigEndian.Uint32(loca[4*i:]))
			}
			return 2 * int(binary.BigEndian.Uint16(loca[2*i:]))
		}
		if glyph >= n || at(glyph) > at(glyph+1) || at(glyph+1) > len(glyf) {
			return nil, errFont
		}
		return glyf[at(glyph):at(glyph+1)], nil
	}
	kept, wanted := make(map[int][]byte), []int{0} // 0 stands for what the font lacks
	for glyph := range used {
		wanted = append(wanted, glyph)
	}
	for len(wanted) > 0 {
		glyph := wanted[0]
		wanted = wanted[1:]
		if kept[glyph] != nil {
			continue
		}
		o, err := outline(glyph)
		if err != nil {
			return nil, err
		}
		parts, err := partsOf(o)
		if err != nil {
			return nil, err
		}
		kept[glyph], wanted = append([]byte{}, o...), append(wanted, parts...)
	}
	var newGlyf, newLoca []byte
	for glyph := range n {
		newLoca = binary.BigEndian.AppendUint32(newLoca, uint32(len(newGlyf)))
		newGlyf = append(newGlyf, kept[glyph]...)
		newGlyf = append(newGlyf, make([]byte, -len(newGlyf)&3)...)
	}
	newLoca = binary.BigEndian.AppendUint32(newLoca, uint32(len(newGlyf)))
	head = slices.Clone(head)
	binary.BigEndian.PutUint16(head[50:], 1)
	tables["head"], tables["loca"], tables["glyf"] = head, newLoca, newGlyf
	if post := tables["post"]; len(post) >= 32 {
		post = slices.Clone(post[:32])
		binary.BigEndian.PutUint32(post, 0x30000) // no names of glyphs
		tables["post"] = post
	}
	return writeFont(tables), nil
}

// fontTables returns the tables of a font by their tags.
func fontTables(font []byte) (map[string][]byte, error) {
	if len(font) < 12 || binary.BigEndian.Uint32(font) != 0x10000 {
		return nil, errFont
	}
	tables := make(map[string][]byte)
	for i := range int(binary.BigEndian.Uint16(font[4:])) {
		if len(font) < 12+16*(i+1) {
			return nil, errFont
		}
		entry := font[12+16*i:]
		from, length := uint64(binary.BigEndian.Uint32(entry[8:])), uint64(binary.BigEndian.Uint32(entry[12:]))
		if from+length > uint64(len(font)) {
			return nil, errFont
		}
		tables[string(entry[:4])] = font[from : from+length]
	}
	return tables, nil
}

// partsOf returns the glyphs of which an outline is composed; none if it is not composite.
func partsOf(outline []byte) (parts []int, err error) {
	const words, scale, more, scaleXY, matrix = 0x1, 0x8, 0x20, 0x40, 0x80 // flags of a part
	if len(outline) < 2 || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return nil, nil
	}
	for at := 10; ; {
		if len(outline) < at+4 {
			return nil, errFont
		}
		flags := binary.BigEndian.Uint16(outline[at:])
		parts = append(parts, int(binary.BigEndian.Uint16(outline[at+2:])))
		at += 6
		if flags&words != 0 {
			at += 2
		}
		switch {
		case flags&scale != 0:
			at += 2
		case flags&scaleXY != 0:
			at += 4
		case flags&matrix != 0:
			at += 8
		}
		if flags&more == 0 {
			return parts, nil
		}
	}
}

// writeFont returns a font of keptTables.
func writeFont(tables map[string][]byte) []byte {
	var tags []string
	for _, tag := range keptTables {
		if tables[tag] != nil {
			tags = append(tags, tag)
		}
	}
	power, log := 1, 0
	for 2*power <= len(tags) {
		power, log = 2*power, log+1
	}
	out := binary.BigEndian.AppendUint32(nil, 0x10000)
	for _, v := range []int{len(tags), 16 * power, log, 16 * (len(tags) - power)} {
		out = binary.BigEndian.AppendUint16(out, uint16(v))
	}
	var body []byte
	headAt := 0
	for _, tag := range tags {
		table := slices.Clone(tables[tag])
		if tag == "head" {
			binary.BigEndian.PutUint32(table[8:], 0) // the sum of the whole font follows
			headAt = 12 + 16*len(tags) + len(body)
		}
		length := len(table)
		table = append(table, make([]byte, -len(table)&3)...)
		out = append(out, tag...)
		for _, v := range []uint32{fontSum(table), uint32(12 + 16*len(tags) + len(body)), uint32(length)} {
			out = binary.BigEndian.AppendUint32(out, v)
		}
		body = append(body, table...)
	}
	out = append(out, body...)
	binary.BigEndian.PutUint32(out[headAt+8:], 0xb1b0afba-fontSum(out))
	return out
}

// fontSum returns the sum of big-endian words.
func fontSum(b []byte) (sum uint32) {
	for ; len(b) >= 4; b = b[4:] {
		sum += binary.BigEndian.Uint32(b)
	}
	return sum
}
