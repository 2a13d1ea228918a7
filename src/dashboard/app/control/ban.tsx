/** Beside a shape of task: ban it, or that it is banned. */
import type { JSX } from 'preact';
import type { SteeringPage } from '../../api.ts';
import { pieces } from '../text.tsx';
import { askToBan } from './confirm.tsx';
import { steering } from './desk.ts';

const STATES: Record<SteeringPage['bans'][number]['state'], string> = {
  sent: 'ban sent',
  waiting: 'banned from the next epoch on',
  inForce: 'banned',
};

export function Ban({ structure }: { structure: string }): JSX.Element | null {
  const page = steering.value;
  if (!page) return null;
  const known = page.bans.find((ban) => ban.structure === structure);
  if (known) return <small class="ban soft">{STATES[known.state]}</small>;
  if (!page.unlocked) return null;
  const name = pieces(structure, { line: true })
    .map(({ text }) => text)
    .join('');
  return (
    <button type="button" class="ban link" aria-label={`Ban ${name} …`} onClick={() => askToBan(structure)}>
      ban …
    </button>
  );
}
