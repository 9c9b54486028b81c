import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from './load-env.js';

/** Bytes of a secret or a bundle of certificates. */
const MAX_FILE_BYTES = 1_048_576;

/** Reads the file as it is by now, without the white space around it. Throws where it cannot be read any more. */
export type SettingFile = () => string;

/**
 * A file that a setting names, which is read again each time: what is mounted into a container changes under it.
 *
 * @throws ConfigError that names the setting, where the file cannot be read now, is empty or beyond 1 MiB
 */
export function settingFile(setting: string, path: string): SettingFile {
  return checked(
    setting,
    () => readSettingFile(path),
    () => undefined,
  );
}

/** Reads it now, without the white space around it. Throws where it cannot be read, is empty or beyond 1 MiB. */
export function readSettingFile(path: string): string {
  const content = readFileSync(path, 'utf8').trim();
  if (content === '') throw new Error(`${path} is empty`);
  if (content.length > MAX_FILE_BYTES) throw new Error(`${path} is larger than ${MAX_FILE_BYTES} bytes`);
  return content;
}

/** The file, which says what it said last where it cannot be read at the moment. Throws only where it was never read. */
export function keptFile(read: SettingFile): SettingFile {
  let last: string | undefined;
  return () => {
    try {
      last = read();
    } catch (error) {
      if (last === undefined) throw error;
    }
    return last;
  };
}

/** A file of PEM certificates. @throws ConfigError as `settingFile` does, and where the first is none */
export const certificateFile = (setting: string, path: string): SettingFile =>
  checked(setting, settingFile(setting, path), (pem) => {
    try {
      new X509Certificate(pem);
    } catch (cause) {
      throw new Error(`${path} holds no certificate in PEM (-----BEGIN CERTIFICATE-----)`, { cause });
    }
  });

function checked(setting: string, read: SettingFile, check: (content: string) => void): SettingFile {
  try {
    check(read());
  } catch (error) {
    throw new ConfigError({ [setting]: `names a file that is of no use: ${(error as Error).message}` });
  }
  return read;
}
