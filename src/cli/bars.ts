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

export function duration(seconds: number): string {
  if (!Number.isFinite(seconds)) return '–';
  // Rounded first: 119.7 seconds are two minutes, not 1m60.
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole < 10 ? seconds.toFixed(1) : whole}s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes}m${twoDigits(whole % 60)}`;
  return `${Math.floor(minutes / 60)}h${twoDigits(minutes % 60)}`;
}

const twoDigits = (n: number) => String(n).padStart(2, '0');
