/** Rows by index, and the log-probability of one class per row. */
import { emitOne, expectType, type Value } from '../graph.ts';
import { ShapeError, showShape } from '../shape.ts';
import { add, log, mul, neg, sub } from './arithmetic.ts';
import { reshape, zerosLike } from './layout.ts';
import { softmax } from './normalise.ts';
import { maxLast } from './reduce.ts';

/** table[ids]: rows of the first axis. The same row may be taken many times; its gradients add up. */
export function gather(table: Value, ids: Value): Value {
  expectType('Gather', 'int64', ids);
  return emitOne('Gather', [table, ids], {
    shape: [...ids.shape, ...table.shape.slice(1)],
    dtype: table.dtype,
    attributes: { axis: 0 },
    gradient: (dy) => {
      const target = [zerosLike(table), reshape(ids, [...ids.shape, 1]), dy];
      return [emitOne('ScatterND', target, { shape: table.shape, attributes: { reduction: 'add' } }), null];
    },
  });
}

/**
 * log softmax(logits)[target] for each row of [rows, classes], as [rows, 1]. The gradient onehot − p is written without
 * materialising a log-softmax: one exponential serves both passes.
 */
export function logProbOf(logits: Value, target: Value): Value {
  const [rows, classes] = logits.shape;
  if (logits.shape.length !== 2 || target.shape.length !== 2 || target.shape[0] !== rows || target.shape[1] !== 1) {
    throw new ShapeError(`logProbOf: ${showShape(logits.shape)} logits with ${showShape(target.shape)} targets`);
  }
  if (classes === undefined) throw new ShapeError('logProbOf: logits without classes');
  expectType('logProbOf', 'int64', target);
  const p = softmax(logits);
  const chosen = emitOne('GatherElements', [logits, target], {
    shape: target.shape,
    attributes: { axis: 1 },
    gradient: (dy) => {
      const spread = mul(p, neg(dy));
      return [
        emitOne('ScatterElements', [spread, target, dy], {
          shape: logits.shape,
          attributes: { axis: 1, reduction: 'add' },
        }),
        null,
      ];
    },
  });
  // log p[target] = (logit − max) + log p[argmax]: exact even where p[target] underflows. Only `chosen` carries the
  // gradient of the whole expression.
  const top = maxLast(logits);
  return add(sub(chosen, top), log(maxLast(p)));
}
