import type { Page } from 'playwright-core';

/**
 * The texts on a page with less contrast than WCAG 2.1 asks for (AA, 1.4.3): 4.5 to 1, or 3 to 1 where letters are
 * large. What lies behind a text is taken from the elements around it, colours that let others through are mixed.
 */
export async function lowContrasts(page: Page): Promise<string[]> {
  return (await page.evaluate(SCRIPT)) as string[];
}

// A program of its own, as text: it runs in the page.
const SCRIPT = `(() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, bottom) => top.slice(0, 3).map((part, i) => part * top[3] + bottom[i] * (1 - top[3]));
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let one = element; one !== null; one = one.parentElement) layers.push(rgba(getComputedStyle(one).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const found = [];
  const walker = document.createTreeWalker(document.getElementById('app'), NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    if (text === '' || element.closest('svg, .sr-only, option, :disabled') || element.getClientRects().length === 0) continue;
    const style = getComputedStyle(element);
    const background = behind(element);
    const [high, low] = [luminance(over(rgba(style.color), background)), luminance(background)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = Number.parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) found.push(text.slice(0, 40) + ': ' + ratio.toFixed(2));
  }
  return found;
})()`;
