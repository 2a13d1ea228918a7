/** Light, dark, or as the system has it. */
import { computed, effect, signal } from '@preact/signals';

export type Choice = 'auto' | 'light' | 'dark';

const KEY = 'genenv-theme';
const CHOICES: readonly Choice[] = ['auto', 'light', 'dark'];
const system = matchMedia('(prefers-color-scheme: dark)');
const systemIsDark = signal(system.matches);
system.addEventListener('change', () => {
  systemIsDark.value = system.matches;
});

function stored(): Choice {
  try {
    return CHOICES.find((choice) => choice === localStorage.getItem(KEY)) ?? 'auto';
  } catch {
    return 'auto';
  }
}

export const choice = signal<Choice>(stored());
export const isDark = computed(() => (choice.value === 'auto' ? systemIsDark.value : choice.value === 'dark'));

export function nextTheme(): void {
  choice.value = CHOICES[(CHOICES.indexOf(choice.value) + 1) % CHOICES.length]!;
}

export function followTheme(): void {
  effect(() => {
    document.documentElement.dataset.theme = isDark.value ? 'dark' : 'light';
    try {
      localStorage.setItem(KEY, choice.value);
    } catch {
      // A browser that keeps nothing still shows the theme.
    }
  });
}
