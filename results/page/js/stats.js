// The statistics of package stats that a comparison needs.

// logGamma is the logarithm of Γ for x > 0 (Lanczos 1964, with 9 coefficients).
function logGamma(x) {
  const c = [0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7];
  const sum = c.reduce((s, v, i) => (i === 0 ? v : s + v / (x - 1 + i)), 0);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

// incompleteBeta is the regularised incomplete beta function, by its continued fraction (Numerical Recipes, section 6.4).
function incompleteBeta(a, b, x) {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(b, a, 1 - x);
  const tiny = 1e-300;
  let [c, d] = [1, 1 / (1 - ((a + b) * x) / (a + 1) || tiny)];
  let h = d;
  for (let m = 1; m < 10000; m++) {
    let step = 1;
    for (const n of [(m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)), (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))]) {
      d = 1 / (1 + n * d || tiny);
      c = 1 + n / c || tiny;
      step = c * d;
      h *= step;
    }
    if (Math.abs(step - 1) < 1e-15) break;
  }
  return (Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) * h) / a;
}

// tTails is the probability that Student's t is further from zero than v.
const tTails = (v, freedom) => incompleteBeta(freedom / 2, 0.5, freedom / (freedom + v * v));

const quantiles = new Map();

// tQuantile is the quantile of Student's t at p > ½, by bisection.
function tQuantile(p, freedom) {
  const key = `${p} ${freedom}`;
  if (!quantiles.has(key)) {
    let [low, high] = [0, 1];
    while (tTails(high, freedom) > 2 * (1 - p)) high *= 2;
    for (let middle; (middle = (low + high) / 2) > low && middle < high; ) {
      if (tTails(middle, freedom) > 2 * (1 - p)) low = middle;
      else high = middle;
    }
    quantiles.set(key, high);
  }
  return quantiles.get(key);
}

// estimate returns the mean of values with its t-interval and the p-value of the t-test that it is zero; NaN where there are
// too few values.
function estimate(values, confidence) {
  let [mean, squares] = [0, 0];
  values.forEach((v, i) => {
    const d = v - mean;
    mean += d / (i + 1);
    squares += d * (v - mean);
  });
  const n = values.length;
  const error = n < 2 ? NaN : Math.sqrt(squares / (n - 1) / n);
  const half = n < 2 ? NaN : error * tQuantile((1 + confidence) / 2, n - 1);
  const p = n < 2 ? NaN : mean === 0 ? 1 : error === 0 ? 0 : tTails(mean / error, n - 1);
  return { n, mean: n === 0 ? NaN : mean, error, low: mean - half, high: mean + half, p };
}

// holm corrects p-values for their number (Holm 1979); NaN stands for no test.
function holm(p) {
  const order = p.map((_, i) => i).filter((i) => !Number.isNaN(p[i])).sort((a, b) => p[a] - p[b]);
  const corrected = p.slice();
  let least = 0;
  order.forEach((i, k) => (corrected[i] = least = Math.max(least, Math.min(p[i] * (order.length - k), 1))));
  return corrected;
}

// seedsNeeded returns the number of seeds with which a t-test finds a difference significant, 0 if there is none.
function seedsNeeded({ n, mean, error }, { significance, power, maxSeedsNeeded }) {
  if (!(n >= 2) || mean === 0) return 0;
  const effect = Math.abs(mean) / (error * Math.sqrt(n));
  const reach = (freedom) => tQuantile(1 - significance / 2, freedom) + tQuantile(power, freedom);
  const least = (reach(1e7) / effect) ** 2; // those of the normal distribution, which are the lowest
  if (!(least <= maxSeedsNeeded)) return 0;
  for (let seeds = Math.max(2, Math.ceil(least) - 1); seeds <= maxSeedsNeeded; seeds++) {
    if (Math.sqrt(seeds) * effect >= reach(seeds - 1)) return seeds;
  }
  return 0;
}
