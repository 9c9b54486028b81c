// kafkajs describes its public face alone.
declare module 'kafkajs/src/network/requestQueue/index.js' {
  const RequestQueue: unknown;
  export default RequestQueue;
}
