import { describe, expect, it } from '@jest/globals';
import { toToolResult } from './to-tool-result.js';

const answer = (status: number, body: unknown, more: object = {}) => ({
  status,
  text: JSON.stringify(body),
  replayed: false,
  ...more,
});
const executionId = `exec_${'0'.repeat(32)}`;

describe('an answer of the interface as a result of a tool', () => {
  it('is structured content, and the same as text', () => {
    const body = { execution_id: executionId, success: true, result: { data: 1 } };
    expect(toToolResult({ answer: 'bare' }, answer(200, body, { replayed: true }))).toEqual({
      content: [{ type: 'text', text: JSON.stringify(body) }],
      structuredContent: body,
      isError: false,
      _meta: { 'capability-router/http-status': 200, 'capability-router/idempotency-replayed': true },
    });
  });

  it('is what the envelope holds', () => {
    const data = { items: [], total: 0, page: 1, page_size: 0, summary: null };
    const { structuredContent, content } = toToolResult(
      { answer: 'envelope' },
      answer(200, { status: 'success', message: 'ok', status_code: 0, data }),
    );
    expect(structuredContent).toEqual(data);
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(data) }]);
  });

  it('is an error where the tool failed, though the interface answered', () => {
    const body = { execution_id: executionId, success: false, error_message: 'nothing there' };
    expect(toToolResult({ answer: 'bare' }, answer(200, body))).toMatchObject({
      isError: true,
      structuredContent: body,
    });
  });

  it.each([402, 422, 502, 504])('keeps the id of a call that was answered with %i', (status) => {
    const body = { execution_id: executionId, success: false, error_message: 'why' };
    expect(toToolResult({ answer: 'bare' }, answer(status, body))).toMatchObject({
      isError: true,
      structuredContent: body,
    });
  });

  it('tells a model a refusal that has another shape, with the time to wait', () => {
    const body = { status: 'failure', status_code: 429, message: 'Rate limit exceeded.', data: null };
    for (const kind of ['bare', 'envelope'] as const) {
      const result = toToolResult({ answer: kind }, answer(429, body, { retryAfterSeconds: 12 }));
      expect(result).not.toHaveProperty('structuredContent');
      expect(result.isError).toBe(true);
      expect(result.content).toEqual([
        { type: 'text', text: JSON.stringify({ http_status: 429, retry_after_seconds: 12, ...body }) },
      ]);
      expect(result._meta).toEqual({
        'capability-router/http-status': 429,
        'capability-router/retry-after-seconds': 12,
      });
    }
  });

  it('links to the whole of a result that was cut', () => {
    const result = { message: 'Cut.', truncated_content: '[1', full_content_file_url: 'https://a.example/r' };
    const { content } = toToolResult(
      { answer: 'bare' },
      answer(200, { execution_id: executionId, success: true, result }),
    );
    expect(content[1]).toEqual({
      type: 'resource_link',
      uri: 'https://a.example/r',
      name: `result of ${executionId}`,
      description: 'Cut.',
      mimeType: 'application/json',
    });
  });
});
