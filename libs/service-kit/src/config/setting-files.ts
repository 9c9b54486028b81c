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
  const read = (): string => {
    const content = readFileSync(path, 'utf8').trim();
    if (content === '') throw new Error(`${path} is empty`);
    if (content.length > MAX_FILE_BYTES) throw new Error(`${path} is larger than ${MAX_FILE_BYTES} bytes`);
    return content;
  };
  return checked(setting, read, () => undefined);
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
