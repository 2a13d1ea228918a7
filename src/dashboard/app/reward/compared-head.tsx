/** The columns of every table that sets what was answered beside what was asked for. */
import type { JSX } from 'preact';

export const ComparedHead = (): JSX.Element => (
  <thead>
    <tr>
      <th scope="col">answered</th>
      <th scope="col">
        <span class="out">same</span>
      </th>
      <th scope="col">asked for</th>
    </tr>
  </thead>
);
