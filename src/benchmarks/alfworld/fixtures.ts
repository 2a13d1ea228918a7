/** A kitchen of our own for tests: small, with every kind of thing that the rules speak of. */
import type { WorldRecord } from './world.ts';

/** Receptacles by index: 0 cabinet 2, 1 cabinet 1 (they share a place), 2 countertop, 3 drawer, 4 fridge, 5 microwave, 6 sinkbasin. */
export const KITCHEN: WorldRecord = {
  id: 'kitchen/1',
  split: 'fixture',
  task_type: 'pick_clean_then_place_in_recep',
  task: 'Your task is to: put a clean mug in cabinet.',
  goal: { kind: 'clean', object: 'mug', receptacle: 'cabinet' },
  walkthrough: [
    'go to countertop 1',
    'take mug 2 from countertop 1',
    'go to sinkbasin 1',
    'clean mug 2 with sinkbasin 1',
    'go to cabinet 1',
    'open cabinet 1',
    'move mug 2 to cabinet 1',
  ],
  receptacles: [
    ['cabinet 2', 'cabinet', 1, 1],
    ['cabinet 1', 'cabinet', 1, 1],
    ['countertop 1', 'countertop', 2, 0],
    ['drawer 1', 'drawer', 3, 1],
    ['fridge 1', 'fridge', 4, 1],
    ['microwave 1', 'microwave', 5, 1],
    ['sinkbasin 1', 'sinkbasin', 6, 0],
  ],
  objects: [
    ['apple 2', 'apple', 4, [4], 'pchosC'],
    ['apple 1', 'apple', 2, [2], 'pchos'],
    ['chair 1', 'chair', 7, [], ''],
    ['desklamp 1', 'desklamp', 3, [3], 't'],
    ['egg 1', 'egg', 2, [2, 6], 'pchos'],
    ['knife 1', 'knife', 2, [2], 'pc'],
    ['mug 2', 'mug', 2, [2], 'pchor'],
    ['mug 1', 'mug', 1, [0], 'pchor'],
    ['spoon 1', 'spoon', 2, [2], 'pc'],
  ],
  inside: [[8, 6]],
  start: 0,
  can: {
    cabinet: ['mug'],
    countertop: ['apple', 'egg', 'knife', 'mug', 'spoon'],
    drawer: ['knife', 'spoon'],
    fridge: ['apple', 'egg', 'mug'],
    microwave: ['apple', 'egg', 'mug'],
    sinkbasin: ['apple', 'egg', 'knife', 'mug', 'spoon'],
  },
};

/** The kitchen with another goal. */
export const kitchenWith = (goal: WorldRecord['goal']): WorldRecord => ({ ...KITCHEN, goal });

/** A problem as the official files write them: two shelves, a sink with its basin, mugs, a pen and a pencil. */
export const PROBLEM = `
(define (problem plan_trial_of_our_own)
(:domain alfred)
(:objects agent1 - agent Unused_bar_1 - object)
(:init
  (atLocation agent1 loc_bar_0)
  (receptacleType Shelf_bar_a ShelfType) (receptacleAtLocation Shelf_bar_a loc_bar_1) (openable Shelf_bar_a)
  (receptacleType Shelf_bar_b ShelfType) (receptacleAtLocation Shelf_bar_b loc_bar_2)
  (receptacleType Sink_bar_c_bar_SinkBasin SinkBasinType) (receptacleAtLocation Sink_bar_c_bar_SinkBasin loc_bar_3)
  (objectType Sink_bar_c SinkType) (objectAtLocation Sink_bar_c loc_bar_3)
  (objectType Mug_bar_a MugType) (objectAtLocation Mug_bar_a loc_bar_1)
  (inReceptacle Mug_bar_a Shelf_bar_b) (inReceptacle Mug_bar_a Shelf_bar_a)
  (pickupable Mug_bar_a) (isReceptacleObject Mug_bar_a) (isCool Mug_bar_a) (cleanable Mug_bar_a)
  (objectType Mug_bar_b MugType) (objectAtLocation Mug_bar_b loc_bar_2) (inReceptacle Mug_bar_b Shelf_bar_b)
  (pickupable Mug_bar_b) (cleanable Mug_bar_b)
  (objectType Pen_bar_a PenType) (objectAtLocation Pen_bar_a loc_bar_1) (inReceptacle Pen_bar_a Shelf_bar_a)
  (pickupable Pen_bar_a) (inReceptacleObject Pen_bar_a Mug_bar_a)
  (objectType Pencil_bar_a PencilType)
  (canContain ShelfType PenType) (canContain ShelfType MugType) (canContain ShelfType PencilType)
  (canContain ShelfType PenType) (canContain SinkBasinType MugType)
)
(:goal (and
  (exists (?r - receptacle) (exists (?o - object) (and
    (cleanable ?o) (objectType ?o MugType) (receptacleType ?r ShelfType) (isClean ?o) (inReceptacle ?o ?r)
  )))
))
)`;
