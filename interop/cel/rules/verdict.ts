/** The errors and warnings for an object or a schema, in the words of a server. */
export interface Verdict {
  /** Each as `reason field: message`, sorted: maps have no order upstream. */
  readonly causes: readonly string[];
  readonly warnings?: readonly string[];
}

export interface RecordedVerdicts {
  readonly program: 'kube-apiserver';
  readonly version: string;
  readonly scenarios: Readonly<Record<string, Verdict>>;
  readonly problems: Readonly<Record<string, Verdict>>;
}

export interface Cause {
  readonly reason: string;
  readonly field: string;
  readonly message: string;
}

export function verdictOf(causes: readonly Cause[], warnings: readonly string[] = []): Verdict {
  return {
    causes: causes
      .map(({ reason, field, message }) => `${reason} ${field}: ${anonymous(message)}`)
      .sort(),
    ...(warnings.length > 0 && { warnings: [...warnings].sort() }),
  };
}

/** The name of the type of self has digits of the clock in it. */
function anonymous(message: string): string {
  return message.replace(/selfType\d+/g, 'selfType');
}
