import type { ApiResponse, HeaderList } from './pipeline.ts';

/** The response with more headers. */
export function withHeaders(response: ApiResponse, headers: HeaderList): ApiResponse {
  return { ...response, headers: [...(response.headers ?? []), ...headers] };
}

export function textResponse(code: number, text: string): ApiResponse {
  return {
    kind: 'bytes',
    code,
    contentType: 'text/plain; charset=utf-8',
    chunks: [Buffer.from(text)],
    headers: [['X-Content-Type-Options', 'nosniff']],
  };
}
