// Numbers as text. This file imports nothing, so that its test can load it alone.

// fixed returns a number without sign with the given number of decimals. As in the tables, halves are rounded to even, also
// where rounding errors have moved them; toFixed would round them up.
function fixed(v, digits) {
  const a = Math.abs(v) < 1e9 ? Number(Math.abs(v).toPrecision(12)) : Math.abs(v);
  const text = a.toFixed(digits);
  const isHalf = (a * 2 ** (digits + 1)) % 2 === 1;
  return isHalf && text.at(-1) % 2 === 1 ? text.slice(0, -1) + (text.at(-1) - 1) : text;
}

// The formatters below do the same as package words. Both are tested with internal/words/testdata/numbers.json.
export function amountTo(v, digits) {
  if (v == null || !Number.isFinite(v)) return "–";
  const a = Math.abs(v);
  if (a >= 1e15 || (a !== 0 && a < 1e-9)) return (v < 0 ? "−" : "") + Number(a.toPrecision(4)).toExponential();
  const text = fixed(v, digits);
  if (Number(text) === 0) return "0";
  const [before, ...fraction] = text.split(".");
  const thousands = [];
  for (let end = before.length; end > 0; end -= 3) thousands.unshift(before.slice(Math.max(end - 3, 0), end));
  return (v < 0 ? "−" : "") + [thousands.join(","), ...fraction].join(".");
}

// exponent returns the power of ten of the first digit of v > 0, rounded to ten digits.
const exponent = (v) => Number(v.toExponential(9).split("e")[1]);

function decimals(v) {
  const a = Math.abs(v);
  return !Number.isFinite(v) || a === 0 || a >= 99.95 ? 0 : Math.min(2 - exponent(a), 12);
}

// amount returns a number as in the tables: "5,012", "12.3", "0.0123".
export const amount = (v) => amountTo(v, v == null ? 0 : decimals(v));

// tick returns the text of a mark on an axis with marks at distance step; on a logarithmic axis step is v.
export function tick(v, step) {
  const digits = Math.max(0, -exponent(step));
  return v === 0 ? (0).toFixed(Math.min(digits, 9)) : amountTo(v, digits);
}

// percent returns a percentage.
export const percent = (v) => (v == null || !Number.isFinite(v) ? "–" : amountTo(v, 1) + " %");

// isPoint reports whether half is no more than a rounding error of mean.
const isPoint = (mean, half) => half <= 1e-12 * Math.abs(mean);

// decimalsOf returns the number of decimals that show two digits of half.
export const decimalsOf = (mean, half) => (half > 0 && Number.isFinite(half) && !isPoint(mean, half) ? Math.min(Math.max(1 - exponent(half), 0), 12) : decimals(mean));

export function pValue(p) {
  if (p == null || Number.isNaN(p)) return "–";
  return p < 0.001 ? "< 0.001" : p > 0.999 ? "1" : fixed(p, 3);
}

// whole returns a whole number with commas between thousands.
export const whole = (v) => amountTo(v, 0);

// withInterval returns the texts of a mean and half of its interval, if any: ["5,012", "± 80"]. known is the number of digits
// of the mean that are known.
export function withInterval(mean, half, known = 17) {
  if (mean == null || half == null || !Number.isFinite(half)) return [amount(mean)];
  const digits = Math.min(decimalsOf(mean, half), Math.max(known - 1 - exponent(mean), 0));
  return [amountTo(isPoint(half, Math.abs(mean)) ? 0 : mean, digits), "± " + amountTo(isPoint(mean, half) ? 0 : half, digits)];
}

export const count = (n, thing) => `${whole(n)} ${thing}${n === 1 ? "" : "s"}`;

export const share = (v) => percent(v == null ? v : 100 * v);
