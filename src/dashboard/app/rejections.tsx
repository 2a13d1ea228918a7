/** Generations that became no task, and why. */

import type { JSX } from 'preact';
import type { RejectionPage } from '../api.ts';
import { to } from './address.ts';

import { Scroll } from './scroll.tsx';
import { Line } from './text.tsx';

export const RejectionTable = ({ run, rows }: { run: string; rows: RejectionPage['rejections'] }): JSX.Element => (
  <Scroll label="Rejected generations">
    <table class="list">
      <thead>
        <tr>
          <th scope="col">generation</th>
          <th scope="col">reason</th>
          <th scope="col">detail</th>
          <th scope="col">from seed</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, reason, detail, seedId }) => (
          <tr key={id}>
            <th scope="row">
              <a href={to('r', run, 'generation', id)}>{id}</a>
            </th>
            <td>{reason}</td>
            <td class="words">
              <Line text={detail} most={160} />
            </td>
            <td>
              <a href={to('r', run, 'task', seedId)}>{seedId.slice(0, 10)}</a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </Scroll>
);
