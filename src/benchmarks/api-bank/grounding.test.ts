import { describe, expect, it } from 'vitest';
import { groundingOf } from './grounding.ts';
import { holds, listen } from './said.ts';

const grounding = (value: string, said: string, type = 'str') => groundingOf(value, type, listen([said]));

describe('a value', () => {
  it.each([
    ['Dr. Lee', 'With Dr. Lee, please.', 'said'],
    ["Ann's", 'At Ann’s place', 'said'],
    ['Blue Door', 'at Blue\n  Door', 'said'],
    ['Blue Door', 'at the blue door', 'spelledOtherwise'],
    ['blood_pressure', 'my blood pressure', 'spelledOtherwise'],
    ['Ann', 'Anna', 'notSaid'],
    ['12', '123 and 512', 'notSaid'],
    ['', 'anything', 'notSaid'],
    ['a@b.org', 'Mail a@b.org!', 'said'],
    ['(5+6)*3', 'What is (5 + 6) * 3?', 'said'],
    ['5*10', '5 and 10', 'notSaid'],
  ])('%j, where they say %j, is %s', (value, said, expected) => {
    expect(grounding(value, said)).toBe(expected);
  });

  it.each([
    ['2024-05-02', 'on 2024-05-02', 'said'],
    ['2024-05-02', 'on May 2nd, 2024', 'said'],
    ['2024-05-02', 'on the 2nd of May 2024', 'said'],
    ['2024-05-02', 'on 2024.5.2', 'said'],
    ['2024-05-02', 'on 5/2/2024', 'said'],
    ['2024-05-02', 'on May 2nd', 'yearNotSaid'],
    ['2024-05-02', 'on May 3rd, 2024', 'notSaid'],
    ['2024-05-02', 'tomorrow', 'notSaid'],
    ['05-02', 'on May 2nd', 'said'],
    ['2024-05-02 19:00:00', 'May 2nd, 2024 at 7 pm', 'said'],
    ['2024-05-02 19:30:00', 'May 2nd, 2024 at 7:30 p.m.', 'said'],
    ['2024-05-02 07:00:00', 'May 2nd, 2024 at 7am', 'said'],
    ['2024-05-02 19:00:00', 'May 2nd, 2024 at 19:00', 'said'],
    ['2024-05-02 12:00:00', 'May 2nd, 2024 at noon', 'said'],
    ['2024-05-02 00:00:00', 'May 2nd, 2024 at 12 am', 'said'],
    ['2024-05-02 07:30:00', 'May 2nd, 2024 at 7:30 pm', 'notSaid'],
    ['2024-05-02 00:00:00', 'May 2nd, 2024', 'notSaid'],
    ['2024-05-02 19:00:01', 'May 2nd, 2024 at 7 pm', 'notSaid'],
  ])('the date %s, where they say %j, is %s', (value, said, expected) => {
    expect(grounding(value, said)).toBe(expected);
  });

  it.each([
    ['4', 'for 4', 'said'],
    ['4', 'for four people', 'said'],
    ['1000', 'up to 1,000', 'said'],
    ['4', 'for 40 or 14', 'notSaid'],
    ['26', 'on 2023-03-26', 'said'],
    ['-26', 'on 2023-03-26', 'notSaid'],
    ['-26', 'at -26 degrees', 'said'],
    ['74.0060', 'at 74.006', 'spelledOtherwise'],
    ['', 'for 0', 'notSaid'],
  ])('the number %j, where they say %j, is %s', (value, said, expected) => {
    expect(grounding(value, said, 'float')).toBe(expected);
  });

  it.each([
    ["['Ann', 'Bob']", 'Ann and Bob', 'said'],
    ["['Ann', 'Bob']", 'Ann and bob', 'spelledOtherwise'],
    ["['Ann', 'Cy']", 'Ann and Bob', 'notSaid'],
    ["[{'name': 'pulse', 'value': '70'}]", 'pulse of 70', 'said'],
    ['[1, 2]', '1 or 2', 'said'],
    ['[]', 'nobody', 'notSaid'],
    ['Ann', 'Ann', 'notSaid'],
    ['[None]', 'None', 'notSaid'],
  ])('the list %s, where they say %j, is %s', (value, said, expected) => {
    expect(grounding(value, said, 'list(str)')).toBe(expected);
  });

  it.each([
    ['True', 'Turn it on at six.', 'said'],
    ['False', 'Please switch off the light.', 'said'],
    ['True', 'On Monday.', 'notSaid'],
    ['yes', 'yes', 'notSaid'],
  ])('the boolean %s, where they say %j, is %s', (value, said, expected) => {
    expect(grounding(value, said, 'bool')).toBe(expected);
  });
});

it('a phrase is looked for at every place', () => {
  expect(holds('banana an', 'an')).toBe(true);
  expect(holds('banana', 'an')).toBe(false);
  expect(holds('x', '')).toBe(false);
});
