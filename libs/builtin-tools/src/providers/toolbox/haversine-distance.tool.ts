import { defineTool } from '../../tool/define-tool.js';
import { lazy } from '../../tool/operation.js';
import { number } from '../../tool/parameters.js';
import { perCall } from '../../tool/prices.js';
import { samplePoints, twoPoints } from '../../tool/shared-parameters.js';

const loadGeolib = lazy(() => import('geolib'));

export const haversineDistance = defineTool({
  toolId: 'toolbox.distance.haversine.v1',
  name: { en: 'Quick distance between two points', zh: '两点快速测距' },
  description: {
    en: 'Estimates the great-circle distance between two coordinates on a sphere, within about half a percent.',
    zh: '按球面大圆估算两坐标间的距离，误差约千分之五以内。',
  },
  categories: ['geography'],
  capabilities: [{ id: 'geo.distance', tags: ['great circle', 'haversine', 'as the crow flies'] }],
  parameters: twoPoints,
  sampleParameters: samplePoints,
  price: perCall('0.5'),
  run: async (parameters) => {
    const { getDistance } = await loadGeolib();
    const metres = getDistance(
      { latitude: number(parameters, 'from_latitude'), longitude: number(parameters, 'from_longitude') },
      { latitude: number(parameters, 'to_latitude'), longitude: number(parameters, 'to_longitude') },
    );
    return { distance_km: metres / 1_000, method: 'great_circle' };
  },
});
