import type {
  ServiceReference,
  WebhookClientConfig,
} from '@tributary/api/admissionregistration-v1';
import {
  dns1123SubdomainErrors,
  type FieldError,
  type FieldPath,
  fieldError,
} from '@tributary/apimachinery';
import { formatUserinfo, parseUrl, toText, UrlError } from '@tributary/apimachinery/net';
import { validatePortNumber } from './validate-names.ts';

export function validateClientConfig(
  { url, service }: WebhookClientConfig,
  path: FieldPath,
): FieldError[] {
  if (url !== undefined && service === undefined) return validateUrl(url, path.child('url'));
  if (service !== undefined && url === undefined) {
    return validateService(service, path.child('service'));
  }
  return [fieldError.required(path, 'exactly one of url or service is required')];
}

const FORM = '; desired format: https://host[/path]';

function validateUrl(text: string, path: FieldPath): FieldError[] {
  const url = parsed(text);
  if (url instanceof UrlError) {
    return [fieldError.required(path, `url must be a valid URL: ${url.message}${FORM}`)];
  }
  const { scheme, query } = url;
  const [host, fragment] = [toText(url.host), toText(url.fragment)];
  const user = url.user && toText(formatUserinfo(url.user));
  const wrong: [boolean, string | undefined, string][] = [
    [scheme !== 'https', scheme, `'https' is the only allowed URL scheme${FORM}`],
    [host === '', host, `host must be specified${FORM}`],
    [user !== undefined, user, 'user information is not permitted in the URL'],
    [fragment !== '', fragment, 'fragments are not permitted in the URL'],
    [query !== '', toText(query), 'query parameters are not permitted in the URL'],
  ];
  return wrong
    .filter(([isWrong]) => isWrong)
    .map(([, value, detail]) => fieldError.invalid(path, value, detail));
}

function parsed(text: string): ReturnType<typeof parseUrl> | UrlError {
  try {
    return parseUrl(text);
  } catch (error) {
    if (error instanceof UrlError) return error;
    throw error;
  }
}

function validateService(service: ServiceReference, path: FieldPath): FieldError[] {
  // Upstream swaps the two paths.
  const errors = [
    ...(service.namespace === '' ? [fieldError.required(path.child('name'))] : []),
    ...(service.name === '' ? [fieldError.required(path.child('namespace'))] : []),
  ];
  return [
    ...errors,
    ...validatePort(service.port ?? 0, path.child('port')),
    ...validateServicePath(service.path ?? '', path.child('path')),
  ];
}

function validatePort(port: number, path: FieldPath): FieldError[] {
  return validatePortNumber(path, port).map(({ detail }) =>
    fieldError.invalid(path, port, `port is not valid: ${detail}`),
  );
}

function validateServicePath(text: string, path: FieldPath): FieldError[] {
  if (text === '' || text === '/') return [];
  const invalid = (detail: string) => fieldError.invalid(path, text, detail);
  if (text === '//') return [invalid('segment[0] may not be empty')];
  const segments = text.slice(1).replace(/\/$/, '').split('/');
  return [
    ...(text.startsWith('/') ? [] : [invalid("must start with a '/'")]),
    ...segments.flatMap((segment, index) =>
      segment === ''
        ? [invalid(`segment[${index}] may not be empty`)]
        : dns1123SubdomainErrors(segment).map((reason) => invalid(`segment[${index}]: ${reason}`)),
    ),
  ];
}
