/**
 * How drawings look. Colours are after Okabe and Ito, told apart by colour-blind readers too, some darker or lighter for
 * contrast with the page; a dash pattern and a marker go with each, so that colour is never the only cue. Plain classes and
 * `currentColor`: a viewer without CSS variables draws them.
 */

const LIGHT = ['#0072b2', '#d55e00', '#009e73', '#b8659a', '#c08400', '#3d9ad6', '#555555'];
const DARK = ['#56b4e9', '#e8743b', '#1fbf92', '#dd94bd', '#f0c244', '#8fa8ff', '#b8b8b8'];
const DASHES = ['', '7 3', '2 2.5', '9 3 2 3', '5 2 2 2 2 2', '12 4', '4 4'];

/** What one line, and everything that belongs to it, is drawn with. */
export interface Look {
  readonly colour: number;
  readonly dash: number;
  readonly marker: number;
}

/** When the colours are used up they return with other dashes and markers. */
export const look = (index: number): Look => ({
  colour: index % LIGHT.length,
  dash: (index + Math.floor(index / LIGHT.length)) % DASHES.length,
  marker: index % 6,
});

/** With one arm there is nothing to tell apart but the players: the agent is one hue, the environment another. */
export const AGENT: Look = { colour: 0, dash: 0, marker: 0 };
export const ENVIRONMENT: Look = { colour: 1, dash: 0, marker: 1 };

export const colourClass = ({ colour }: Look): string => `c${colour}`;

export const dashes = ({ dash }: Look): string | undefined => DASHES[dash] || undefined;

const colours = (list: readonly string[]) => list.map((colour, i) => `.c${i}{color:${colour}}`).join('');

export const FIGURE_STYLE: string = [
  'svg text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:11px;fill:#555d66}',
  'svg .title{font-size:13px;font-weight:600;fill:#1b1f24}svg .figure{font-size:16px;font-weight:600;fill:#1b1f24}',
  'svg .name{fill:#1b1f24}.paper{fill:#fff}.grid{stroke:#e3e6ea;stroke-width:1}.axis{stroke:#9aa2ab;stroke-width:1}',
  '.target{fill:#1b1f24;fill-opacity:.07}.aim{stroke:#1b1f24;stroke-opacity:.45;stroke-dasharray:1 3;stroke-width:1}',
  '.line{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round;stroke-linecap:butt}',
  '.thread{fill:none;stroke:currentColor;stroke-width:.8;stroke-opacity:.4}.band{fill:currentColor;fill-opacity:.13}',
  '.mark{fill:currentColor;stroke:#fff;stroke-width:.8}.seed{fill:#fff;stroke:currentColor;stroke-width:1.1}',
  '.whisker{stroke:currentColor;stroke-width:2}',
  '.solved{fill:#a9d6ef}.partial{fill:#e69f00}.unsolved{fill:#44515e}.edge{stroke:#fff;stroke-width:1;fill:none}',
  'svg .on-solved,svg .on-partial{fill:#10161c;font-weight:600}svg .on-unsolved{fill:#fff;font-weight:600}',
  colours(LIGHT),
  '@media screen and (prefers-color-scheme:dark){svg text{fill:#a3adb8}svg .title,svg .figure,svg .name{fill:#e8ecf0}',
  '.paper{fill:#15191e}.grid{stroke:#2b3138}.axis{stroke:#5f6973}.target{fill:#fff;fill-opacity:.09}.aim{stroke:#fff}',
  '.mark{stroke:#15191e}.seed{fill:#15191e}.band{fill-opacity:.2}.edge{stroke:#15191e}.unsolved{fill:#5b6875}.solved{fill:#8cc4e6}',
  'svg .on-solved,svg .on-partial{fill:#10161c}svg .on-unsolved{fill:#fff}',
  `${colours(DARK)}}`,
].join('\n');
