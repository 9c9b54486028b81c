import { Catch, type RpcExceptionFilter } from '@nestjs/common';
import { type Observable, throwError } from 'rxjs';

/**
 * Lets the error of an event handler through to the event bus. Without it, Nest would replace the error by "Internal server
 * error", and the bus could not tell what waiting mends from what has to be parked.
 */
@Catch()
export class PassErrorsOn implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}
