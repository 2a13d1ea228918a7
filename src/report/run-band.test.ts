import { describe, expect, it } from 'vitest';
import { lateBandShare } from './arm-rows.ts';
import { document } from './document.ts';
import { generatedSuccess } from './figures/generated-success.ts';
import { exampleComparison, sketchArm } from './fixtures.ts';
import { toHtml } from './html.ts';
import { toMarkdown } from './markdown.ts';
import { calibration } from './results.ts';
import { bandText, commonBand } from './run-band.ts';
import { summary } from './words.ts';

const band = { alpha: 0.5, kMin: 0.1 };
const steps = [{ epoch: 3, alpha: 0.2 }];

/** A run whose success followed the target down in epoch 3. */
function steered() {
  const arm = sketchArm('genenv', { generated: [0.5, 0.5, 0.2, 0.2] });
  arm.runs[0]!.alphaSteps = steps;
  return arm;
}

const changed = () => {
  const comparison = { ...exampleComparison({ arms: 1, seeds: 1, epochs: 8 }), band };
  Object.assign(comparison.arms[0]!.runs[0]!, {
    alphaSteps: steps,
    changes: [
      { who: 'Dana <b>', timeMs: Date.UTC(2026, 2, 1), what: 'alpha 0.5 → 0.2', from: 'epoch 3' },
      {
        who: 'Eli',
        timeMs: Date.UTC(2026, 2, 2),
        what: 'agent.learningRate 0.01 → 0.02',
        from: 'updateAgent of epoch 4',
      },
    ],
  });
  return comparison;
};

describe('a run whose α was changed', () => {
  it('is measured in each epoch against the α of then', () => {
    expect(calibration(steered(), band)).toMatchObject({ epochs: 4, inside: 4 });
    expect(calibration(sketchArm('a', { generated: [0.5, 0.5, 0.2, 0.2] }), band)).toMatchObject({ inside: 2 });
    expect(lateBandShare(steered().runs[0]!, band)).toBe(1);
  });

  it('has a band with a step in its figure, halfway between two epochs', () => {
    const [panel] = generatedSuccess(changed()).panels;
    const rects = [...panel!.markup.matchAll(/<rect class="target" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"/g)];
    const [first, second] = rects.map(([, x, y, width]) => ({
      x: Number(x),
      y: Number(y),
      end: Number(x) + Number(width),
    }));
    expect(rects).toHaveLength(2);
    expect(first!.end).toBeCloseTo(second!.x, 0);
    expect(second!.y).toBeGreaterThan(first!.y);
    // From edge to edge, like one band without steps.
    const whole = generatedSuccess({ ...changed(), arms: exampleComparison({ arms: 1, seeds: 1, epochs: 8 }).arms });
    const [, x, width] = /<rect class="target" x="([\d.]+)" y="[\d.]+" width="([\d.]+)"/.exec(whole.panels[0]!.markup)!;
    expect([first!.x, second!.end]).toEqual([Number(x), Number(x) + Number(width)]);
    expect(panel!.markup.match(/class="aim"/g)).toHaveLength(2);
  });

  it('has one band where the step lies beyond what was played', () => {
    const comparison = changed();
    comparison.arms[0]!.runs[0]!.alphaSteps = [{ epoch: 99, alpha: 0.2 }];
    expect(generatedSuccess(comparison).panels[0]!.markup.match(/class="target"/g)).toHaveLength(1);
  });

  it('says so in words, with who changed what and from where on', () => {
    const comparison = changed();
    expect(summary(comparison)[1]).toContain('inside the band (0.5 ± 0.1, from epoch 3 on 0.2 ± 0.1) in');
    const report = document(comparison);
    for (const text of [toHtml(report), toMarkdown(report)]) {
      expect(text).toContain('Changed by a person while the run went on.');
      expect(text).toContain('alpha 0.5 → 0.2');
      expect(text).toContain('updateAgent of epoch 4');
      expect(text).not.toContain('Dana <b>');
    }
    expect(toMarkdown(document(exampleComparison({ arms: 1, seeds: 1 })))).not.toContain('Changed by a person');
  });
});

describe('the band behind several runs', () => {
  it('has steps where all have the same, and is as configured where they differ', () => {
    expect(commonBand({ arms: [steered(), steered()], band })).toEqual({ ...band, steps });
    expect(commonBand({ arms: [steered(), sketchArm('b', {})], band })).toEqual(band);
    expect(commonBand({ arms: [], band })).toEqual(band);
  });

  it('is counted rather than listed where it was changed often', () => {
    const often = [3, 4, 5, 6, 7].map((epoch) => ({ epoch, alpha: epoch / 10 }));
    expect(bandText({ ...band, steps: often })).toBe('0.5 ± 0.1, changed 5 times, from epoch 7 on 0.7 ± 0.1');
  });
});
