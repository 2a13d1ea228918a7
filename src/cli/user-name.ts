/** Who asks, for the record. */
import { userInfo } from 'node:os';

export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'command line';
  }
}
