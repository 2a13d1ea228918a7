/** Lines that stay, and on a terminal one line below them that moves. */
import { styleText } from 'node:util';

export interface Screen {
  /** Whether there is a line that moves. */
  readonly live: boolean;
  /** Columns that the moving line may fill. */
  width(): number;
  say(line: string): void;
  /** Draws the moving line; called again now and then while nothing happens, so that a long phase is seen to be alive. */
  move(line: () => string): void;
  paint(style: 'bold' | 'dim' | 'yellow', text: string): string;
  close(): void;
}

/** How often the moving line may be redrawn, and how often it is when no event comes. */
const FRAME_MS = 80;
const IDLE_MS = 500;

export function openScreen(out: NodeJS.WriteStream, quiet: boolean): Screen {
  const live = out.isTTY === true && !quiet && process.env.TERM !== 'dumb';
  let drawn = false;
  let drawnAt = 0;
  let current: (() => string) | undefined;
  // A terminal that was told no size (in a container, under `script`) says 0.
  const width = () => (out.columns || 80) - 1;
  const erase = () => {
    if (drawn) out.write('\r\x1b[2K');
    drawn = false;
  };
  const draw = () => {
    if (!current) return;
    erase();
    // One column is left free: a full line would wrap and could not be erased.
    out.write(clip(current(), width()));
    drawn = true;
    drawnAt = performance.now();
  };
  const timer = live ? setInterval(draw, IDLE_MS).unref() : undefined;
  return {
    live,
    width,
    say(line) {
      if (quiet) return;
      erase();
      out.write(`${line}\n`);
    },
    move(line) {
      if (!live) return;
      current = line;
      if (performance.now() - drawnAt >= FRAME_MS) draw();
    },
    paint: (style, text) => styleText(style, text, { stream: out }),
    close() {
      clearInterval(timer);
      current = undefined;
      erase();
    },
  };
}

const clip = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, Math.max(0, width - 1))}…` : text;
