/** Small pictures in text. */

/** Where a success rate stands against the band: `··▒▒●▒▒···`. */
export function bandBar(value: number | undefined, band: { alpha: number; kMin: number }, width = 20): string {
  const cell = (x: number) => Math.min(width - 1, Math.max(0, Math.floor(x * width)));
  const [low, high] = [cell(band.alpha - band.kMin + 1e-9), cell(band.alpha + band.kMin - 1e-9)];
  const cells: string[] = Array.from({ length: width }, (_, i) => (i >= low && i <= high ? '▒' : '·'));
  if (value !== undefined) cells[cell(value)] = '●';
  return cells.join('');
}

export function progressBar(share: number, width = 20): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  return '━'.repeat(filled) + '─'.repeat(width - filled);
}
