import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { messageOfDetails, validateBody } from './validate-body.js';

class Leg {
  @IsString()
  from: string;
}

class Trip {
  @IsString()
  @MaxLength(5)
  name: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(10)
  seats?: number | null;

  @IsOptional()
  @IsBoolean()
  open?: boolean;

  @IsOptional()
  @IsIn(['full', 'lean'])
  view?: string;

  @IsOptional()
  @IsObject()
  extra?: object;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => Leg)
  legs?: Leg[];
}

class Stay {
  @IsOptional()
  @IsInt()
  seats: number = 2;

  @IsOptional()
  @IsArray()
  stops: string[] = ['here'];

  @IsOptional()
  @IsString()
  until?: string | null;
}

function typesOf(body: unknown, options = {}): [string, (string | number)[]][] {
  const result = validateBody(Trip, body, options);
  return result.ok ? [] : result.error.map(({ type, loc }) => [type, [...loc]]);
}

describe('a validated body', () => {
  it('is an instance of its class', () => {
    const result = validateBody(Trip, { name: 'a', seats: null, legs: [{ from: 'x' }] });
    expect(result.ok && result.value instanceof Trip && result.value.legs?.[0] instanceof Leg).toBe(true);
  });

  it.each([
    [{}, 'missing', ['body', 'name']],
    [{ name: null }, 'string_type', ['body', 'name']],
    [{ name: 7 }, 'string_type', ['body', 'name']],
    [{ name: 'too long' }, 'string_too_long', ['body', 'name']],
    [{ name: 'a', seats: '3' }, 'int_type', ['body', 'seats']],
    [{ name: 'a', seats: 1.5 }, 'int_type', ['body', 'seats']],
    [{ name: 'a', seats: 0 }, 'greater_than_equal', ['body', 'seats']],
    [{ name: 'a', seats: 11 }, 'less_than_equal', ['body', 'seats']],
    [{ name: 'a', open: 'yes' }, 'bool_type', ['body', 'open']],
    [{ name: 'a', view: 'wide' }, 'enum', ['body', 'view']],
    [{ name: 'a', extra: 'x' }, 'dict_type', ['body', 'extra']],
    [{ name: 'a', legs: {} }, 'list_type', ['body', 'legs']],
    [{ name: 'a', legs: [{ from: 'x' }, { from: 'x' }, { from: 'x' }] }, 'too_long', ['body', 'legs']],
    [{ name: 'a', legs: [{ from: 'x' }, {}] }, 'missing', ['body', 'legs', 1, 'from']],
    [{ name: 'a', nope: 1 }, 'extra_forbidden', ['body', 'nope']],
    [[], 'dict_type', ['body']],
    ['text', 'dict_type', ['body']],
    [null, 'dict_type', ['body']],
  ])('names the fault of %j as %s at %j', (body, type, loc) => {
    expect(typesOf(body)).toContainEqual([type, loc]);
  });

  it.each([[{}], [{ seats: null, stops: null }]])('has the defaults of its class where %j names nothing', (body) => {
    const result = validateBody(Stay, body);
    expect(result.ok && { ...result.value }).toEqual({ seats: 2, stops: ['here'] });
    const said = validateBody(Stay, { seats: 3, stops: [], until: null });
    expect(said.ok && { ...said.value }).toEqual({ seats: 3, stops: [], until: null });
  });

  it('has one fault a field', () => {
    expect(typesOf({ name: 'a', seats: 'x' })).toEqual([['int_type', ['body', 'seats']]]);
  });

  it('drops unknown fields where they are allowed', () => {
    const result = validateBody(Trip, { name: 'a', nope: 1 }, { allowUnknown: true });
    expect(result.ok && 'nope' in result.value).toBe(false);
    expect(typesOf({ name: 'a', nope: 1 }, { allowUnknown: true })).toEqual([]);
  });

  it('never echoes more than a short scalar, and no more than fifty faults', () => {
    const long = validateBody(Trip, { name: 'x'.repeat(1_000) });
    expect(JSON.stringify(long)).not.toContain('xxxx');
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, index]));
    expect(typesOf(many)).toHaveLength(50);
  });

  it('has a message that names the field', () => {
    const result = validateBody(Trip, { nope: 1 });
    expect(result.ok ? '' : messageOfDetails(result.error)).toMatch(/^"\w+" is invalid: .* \(and 1 more\)$/);
  });
});

describe('a member called as what every object has', () => {
  class Any {
    @IsObject()
    given: object;
  }
  const given = { a: { constructor: { type: 'x' }, b: [{ constructor: null, valueOf: 7 }] }, constructor: 'last' };

  it('is a member as any other, however deep, and nothing of it is lost', () => {
    const result = validateBody(Any, { given });
    expect(result.ok && JSON.stringify(result.value)).toBe(JSON.stringify({ given }));
  });

  it('is ignored or refused like any other that is not known', () => {
    const unknown = { given: {}, other: { constructor: null }, constructor: 1, toString: 'x' };
    const ignored = validateBody(Any, unknown, { allowUnknown: true });
    expect(ignored.ok && Object.keys(ignored.value)).toEqual(['given']);
    const refused = validateBody(Any, unknown);
    expect(refused.ok ? [] : refused.error.map(({ type, loc }) => [type, loc])).toEqual([
      ['extra_forbidden', ['body', 'other']],
      ['extra_forbidden', ['body', 'constructor']],
      ['extra_forbidden', ['body', 'toString']],
    ]);
  });
});
