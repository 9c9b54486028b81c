import { sha256Hex } from '@capability-router/kernel';

const HEX_DIGITS = 8;
const RANGE = 16 ** HEX_DIGITS;

/** 0 to below 1, evenly over texts: the first eight digits of the text's SHA-256, so that anybody can draw it again. */
export const draw = (text: string): number => Number.parseInt(sha256Hex(text).slice(0, HEX_DIGITS), 16) / RANGE;
