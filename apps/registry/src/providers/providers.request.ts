import { languages, type Language } from '@capability-router/contracts';
import { listBounds, OneLine, OptionalInteger } from '@capability-router/service-kit';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { providerSorts, sortOrders, type ProviderSort, type SortOrder } from './domain/select-providers.js';

/** Characters. */
const MAX_QUERY_LENGTH = 200;
const MAX_SLUG_LENGTH = 100;
/** Categories in one request. */
const MAX_CATEGORIES = 20;

/** `?categories=a,b` and `?categories=a&categories=b` are the same. What is neither stays as it is for the validator. */
const queryList = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => {
    const texts: unknown[] = Array.isArray(value) ? value : [value];
    return texts.flatMap((text) =>
      typeof text === 'string'
        ? text
            .split(',')
            .map((slug) => slug.trim())
            .filter((slug) => slug !== '')
        : [text],
    );
  });

/** Query of `GET /providers`. Unknown parameters are ignored. */
export class ProvidersQuery {
  @IsOptional()
  @queryList()
  @IsArray()
  @ArrayMaxSize(MAX_CATEGORIES)
  @IsString({ each: true })
  @MaxLength(MAX_SLUG_LENGTH, { each: true })
  @OneLine({ each: true })
  readonly categories?: string[];

  @IsOptional()
  @IsString()
  @MaxLength(MAX_QUERY_LENGTH)
  @OneLine()
  readonly query?: string;

  @OptionalInteger(0, listBounds.maxSkip)
  readonly skip: number = 0;

  @OptionalInteger(1, listBounds.maxLimit)
  readonly limit: number = listBounds.defaultLimit;

  @IsOptional()
  @IsIn(providerSorts)
  readonly sort_by: ProviderSort = 'name';

  /** Where it is absent, names go up, and numbers down. */
  @IsOptional()
  @IsIn(sortOrders)
  readonly sort_order?: SortOrder;

  @IsOptional()
  @IsIn(languages)
  readonly lang?: Language;
}

/** Query of `GET /providers/categories`. Unknown parameters are ignored. */
export class CategoriesQuery {
  @IsOptional()
  @IsIn(languages)
  readonly lang?: Language;
}
