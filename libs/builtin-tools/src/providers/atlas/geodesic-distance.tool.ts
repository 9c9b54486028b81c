import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { number } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { samplePoints, twoPoints } from '../../tool/shared-parameters.js';

const loadGeodesic = lazy(async () => (await import('geographiclib-geodesic')).default.Geodesic.WGS84);

export const geodesicDistance = defineTool({
  toolId: 'atlas.distance.geodesic.v1',
  name: { en: 'Exact distance between two points (WGS 84)', zh: '两点精确距离（WGS 84）' },
  description: {
    en: 'Measures the shortest distance between two coordinates on the WGS 84 ellipsoid, exact to the metre, with the bearing at both ends.',
    zh: '在 WGS 84 椭球上测量两坐标间的最短距离，精确到米，并给出两端方位角。',
  },
  categories: ['geography'],
  capabilities: [{ id: 'geo.distance', tags: ['ellipsoid', 'precise', 'bearing'] }],
  parameters: twoPoints,
  sampleParameters: samplePoints,
  price: perCall('2.5'),
  run: async (parameters) => {
    const geodesic = await loadGeodesic();
    const line = geodesic.Inverse(
      number(parameters, 'from_latitude'),
      number(parameters, 'from_longitude'),
      number(parameters, 'to_latitude'),
      number(parameters, 'to_longitude'),
    );
    return {
      distance_km: Math.round(line.s12) / 1_000,
      method: 'geodesic',
      initial_bearing_degrees: bearing(line.azi1),
      final_bearing_degrees: bearing(line.azi2),
    };
  },
});

/** Degrees clockwise from north, 0 to 360, with two decimals. */
const bearing = (azimuth: number): number => Math.round(((azimuth + 360) % 360) * 100) / 100;
