/** Bytes that are no YAML, or YAML that has no JSON form. The message is that of Go's library, which begins with `yaml: `. */
export class YamlError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'YamlError';
  }
}
