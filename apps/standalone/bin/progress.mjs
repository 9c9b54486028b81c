// Says what is being done while standalone starts: on a terminal in one line that is rewritten, elsewhere a line a step.

/**
 * @param {{ isTTY?: boolean, columns?: number, write(text: string): unknown }} stream
 */
export function createProgress(stream) {
  const onTerminal = stream.isTTY === true;
  let current = '';
  let isLineOpen = false;
  const rewrite = (text) => {
    // A line that wraps cannot be rewritten as one.
    stream.write(`\r\u001b[2K${text.slice(0, (stream.columns || 80) - 1)}`);
    isLineOpen = true;
  };
  return {
    /** Begins a step. */
    step(text) {
      if (text === current) return;
      current = text;
      if (onTerminal) rewrite(`${text} …`);
      else stream.write(`${text} …\n`);
    },
    /** How far the step is; for a terminal only, so that logs stay short. */
    detail(text) {
      if (onTerminal && current !== '') rewrite(`${current} … ${text}`);
    },
    /** Leaves the terminal as if nothing had been there; the next step begins anew. */
    end() {
      if (isLineOpen) stream.write('\r\u001b[2K');
      isLineOpen = false;
      current = '';
    },
    get current() {
      return current;
    },
  };
}

/** Of this process. Standard output is for logs and the banner. */
export const progress = createProgress(process.stderr);
