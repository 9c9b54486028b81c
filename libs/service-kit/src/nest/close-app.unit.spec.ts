import 'reflect-metadata';
import { Controller, Inject, Injectable, Module, Scope, UseGuards, type CanActivate } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { describe, expect, it } from '@jest/globals';
import { closeApp } from './close-app.js';

const ended: string[] = [];

@Injectable()
class Pool {
  onModuleDestroy(): void {
    ended.push('pool');
    throw new Error('the pool hangs');
  }
}

@Injectable()
class Sweeper {
  async beforeApplicationShutdown(): Promise<void> {
    ended.push('sweeper');
    await Promise.reject(new Error('the sweeper is stuck'));
  }
}

@Injectable()
class Last {
  onApplicationShutdown(): void {
    ended.push('last');
  }
}

@Module({ providers: [Pool, Sweeper, Last] })
class Both {}

@Injectable()
class Guard implements CanActivate {
  canActivate(): boolean {
    return true;
  }

  onModuleDestroy(): void {
    ended.push('guard');
    throw new Error('the guard hangs');
  }
}

@Controller()
@UseGuards(Guard)
class Guarded {}

@Injectable({ scope: Scope.TRANSIENT })
class Connection {
  onApplicationShutdown(): void {
    ended.push('connection');
    throw new Error('the connection hangs');
  }
}

@Injectable()
class Owner {
  constructor(@Inject(Connection) readonly connection: Connection) {}
}

@Module({ controllers: [Guarded] })
class WithGuard {}

@Module({ providers: [Connection, Owner] })
class WithConnection {}

@Module({ providers: [Last] })
class Well {}

const open = (module: new () => object) =>
  NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });

describe('closing an application', () => {
  it('calls every hook, and fails with what any of them threw', async () => {
    ended.length = 0;
    await expect(closeApp(await open(Both))).rejects.toMatchObject({
      errors: [
        expect.objectContaining({ message: 'the pool hangs' }),
        expect.objectContaining({ message: 'the sweeper is stuck' }),
      ],
    });
    expect(ended).toEqual(['pool', 'sweeper', 'last']);
  });

  it.each([
    ['guard', WithGuard],
    ['connection', WithConnection],
  ])('fails where a %s ends badly that Nest makes for another part', async (part, module) => {
    ended.length = 0;
    await expect(closeApp(await open(module))).rejects.toThrow(`the ${part} hangs`);
    expect(ended).toEqual([part]);
  });

  it('is well where every hook is', async () => {
    ended.length = 0;
    await closeApp(await open(Well));
    expect(ended).toEqual(['last']);
  });
});
