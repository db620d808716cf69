// Line charts as SVG, readable on light and dark pages.
const WIDTH = 640;
const HEIGHT = 360;
const MARGIN = { left: 64, right: 150, top: 40, bottom: 48 };
const COLOURS = ['#4477aa', '#ee6677', '#228833', '#aa8800', '#66aacc', '#aa3377', '#888888'];

/** `series`: [{ name, points: [[x, y], …] }]; the x axis is logarithmic. */
export function lineChart({ title, xLabel, yLabel, series }) {
  const xs = series.flatMap(({ points }) => points.map(([x]) => Math.log2(x)));
  const ys = series.flatMap(({ points }) => points.map(([, y]) => y));
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const yMax = niceCeiling(Math.max(...ys));
  const px = (x) =>
    round(MARGIN.left + ((Math.log2(x) - x0) / (x1 - x0 || 1)) * (WIDTH - MARGIN.left - MARGIN.right));
  const py = (y) => round(HEIGHT - MARGIN.bottom - (y / yMax) * (HEIGHT - MARGIN.top - MARGIN.bottom));
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="12" fill="#777" role="img">`,
    `<title>${title}</title>`,
    `<text x="${MARGIN.left}" y="20" font-size="14" font-weight="600">${title}</text>`,
    `<text x="${MARGIN.left}" y="${HEIGHT - 8}">${xLabel}</text>`,
    `<text x="14" y="${MARGIN.top - 6}">${yLabel}</text>`,
  ];
  for (let i = 0; i <= 4; i++) {
    const y = (yMax * i) / 4;
    parts.push(
      `<line x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${py(y)}" y2="${py(y)}" stroke="#8884"/>`,
      `<text x="${MARGIN.left - 8}" y="${py(y) + 4}" text-anchor="end">${round(y)}</text>`,
    );
  }
  for (const x of new Set(series.flatMap(({ points }) => points.map(([value]) => value)))) {
    parts.push(
      `<text x="${px(x)}" y="${HEIGHT - MARGIN.bottom + 18}" text-anchor="middle">${short(x)}</text>`,
    );
  }
  series.forEach(({ name, points }, i) => {
    const colour = COLOURS[i % COLOURS.length];
    const line = points.map(([x, y]) => `${px(x)},${py(y)}`).join(' ');
    parts.push(`<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2"/>`);
    for (const [x, y] of points) parts.push(`<circle cx="${px(x)}" cy="${py(y)}" r="3" fill="${colour}"/>`);
    parts.push(
      `<text x="${WIDTH - MARGIN.right + 12}" y="${MARGIN.top + 8 + i * 18}" fill="${colour}">${name}</text>`,
    );
  });
  return `${parts.join('\n')}\n</svg>\n`;
}

function niceCeiling(value) {
  const step = 10 ** Math.floor(Math.log10(value || 1));
  return [1, 2, 4, 5, 8, 10].map((factor) => factor * step).find((candidate) => candidate >= value);
}

function short(x) {
  return x >= 1_000_000 ? `${x / 1_000_000}M` : x >= 1000 ? `${x / 1000}k` : `${x}`;
}

function round(value) {
  return Math.round(value * 100) / 100;
}
