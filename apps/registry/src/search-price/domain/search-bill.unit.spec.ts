import { describe, expect, it } from '@jest/globals';
import { parseCredits } from '@capability-router/kernel';
import { searchBill } from './search-bill.js';

const price = parseCredits('0.01');

describe('the bill of a search', () => {
  it('is the price where something was found, on one line', () => {
    expect(searchBill(price, 3)).toEqual({
      priceRule: { metering: { kind: 'call' }, amountMicroCredits: '10000', unitLabel: 'call' },
      holdMicroCredits: '10000',
      bill: {
        summary: '1 search × 0.01 credits = 0.01 credits',
        listAmountMicroCredits: '10000',
        chargeLines: [
          {
            componentKey: 'search',
            description: '0.01 credits per search',
            quantity: 1,
            unitLabel: 'search',
            amountMicroCredits: '10000',
          },
        ],
      },
    });
  });

  it('is nothing where nothing was found, and still tells what was held', () => {
    expect(searchBill(price, 0)).toMatchObject({
      holdMicroCredits: '10000',
      bill: { listAmountMicroCredits: '0', chargeLines: [] },
    });
  });
});
