/** Something wider than a phone, that scrolls by itself; by keyboard too, so it can be focused. */
import type { ComponentChildren, JSX } from 'preact';

export const Scroll = ({
  label,
  kind = 'scroll',
  children,
}: {
  label: string;
  kind?: string;
  children: ComponentChildren;
}): JSX.Element => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a mouse
  <section class={kind} tabIndex={0} aria-label={label}>
    {children}
  </section>
);
