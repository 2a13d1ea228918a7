import { describe, expect, it } from 'vitest';
import { readGolden, TEMPLATES, templateSource } from './fixtures.ts';
import { compileTemplate, TemplateError } from './template.ts';

const now = new Date(2026, 2, 7, 9, 5, 2);
const render = (source: string, variables: Record<string, unknown> = {}) => compileTemplate(source)(variables, { now });

describe('templates', () => {
  const golden = readGolden();
  it.each(TEMPLATES)('of the kind %s are rendered as by the reference, character by character', (name) => {
    const template = compileTemplate(templateSource(name));
    for (const { variables, renderings } of golden.cases) {
      const { text, error } = renderings[name];
      const rendered = () => template(variables, { now: new Date(golden.now) });
      if (error === undefined) expect(rendered()).toBe(text);
      else expect(rendered).toThrow(TemplateError);
    }
  });

  it('cut off the characters they name, and what Python takes for space', () => {
    expect(render("{{ '\n\n  x\n'.lstrip('\n') }}|{{ '--x--'.strip('-') }}|{{ 'x \n'.rstrip() }}|")).toBe('  x\n|x|x|');
    expect(render('{{ text.strip() }}|{{ text | trim }}', { text: '\x1f\ufeffx\x85' })).toBe('\ufeffx|\ufeffx');
  });

  it('write JSON as Python does', () => {
    const value = { list: [], object: {}, tiny: 1e-7, small: 0.0001, large: 1e22, text: '“é”' };
    expect(render('{{ value | tojson }}', { value })).toBe(
      '{"list": [], "object": {}, "tiny": 1e-07, "small": 0.0001, "large": 1e+22, "text": "“é”"}',
    );
    expect(render('{{ value | tojson(indent=2) }}', { value: { list: [1], none: [] } })).toBe(
      '{\n  "list": [\n    1\n  ],\n  "none": []\n}',
    );
  });

  it('print values as Python does', () => {
    const value = { a: [1, 2.5, true, null], b: "it's" };
    expect(render("{{ value }} {{ true }} {{ none }} {{ 'x' ~ false }} {{ missing }}.", { value })).toBe(
      `{'a': [1, 2.5, True, None], 'b': "it's"} True None xFalse .`,
    );
  });

  it('keep what an iteration wrote before it ended, and forget what it set', () => {
    expect(render('{% for i in range(9) %}{{ i }}{% if i == 1 %}{% continue %}{% endif %},{% if i > 2 %}{% break %}{% endif %}{% endfor %}')).toBe('0,12,3,');
    expect(render('{% for i in [1, 2] %}{{ x is defined }}{% set x = i %}{% endfor %}')).toBe('FalseFalse');
    expect(render('{% set x = 0 %}{% for i in [1, 2] %}{{ x }}{% set x = i %}{% endfor %}{{ x }}')).toBe('000');
  });

  it('may refuse a conversation, in their own words', () => {
    expect(() => render("{{ raise_exception('No tools here') }}")).toThrow(/refused the conversation: No tools here/);
  });

  it('that cannot be read are named as such', () => {
    expect(() => compileTemplate('{% if %}')).toThrow(/cannot be read/);
    expect(() => compileTemplate('x'.repeat(2 << 20))).toThrow(/at most/);
    expect(() => render('{% for i in range(1000000000) %}{% endfor %}')).toThrow(/too long/);
  });
});
