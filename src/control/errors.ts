/** Why a request to a running run is refused, said so that a person knows what to do next. */

export type ControlErrorKind = 'off' | 'notRunning' | 'finished' | 'token' | 'invalid' | 'limit' | 'full';

export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly kind: ControlErrorKind;

  constructor(kind: ControlErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
