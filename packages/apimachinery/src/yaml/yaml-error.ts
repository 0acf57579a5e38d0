/** Invalid YAML, or YAML that has no equivalent in JSON. The message is that of Go's library and starts with `yaml: `. */
export class YamlError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'YamlError';
  }
}
