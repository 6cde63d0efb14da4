/** Lists that the noisy key asks for at a time. */
const clients = 24;

/** Ten characters of which no two stand together in a street: the pairs are found by no index, and each row has to be searched for all. */
const rare = [...'qxzj#~^|<>'];
const worst = rare.flatMap(first => rare.map(second => `street CONTAINS '${first}${second}'`)).join(' OR ');

/** Lets one key ask for as many of the dearest lists as it can, until the function that is returned is called. */
export function startNoise(service: string, key: string): () => Promise<void> {
  const end = new AbortController();
  async function ask(): Promise<void> {
    while (!end.signal.aborted) {
      // Another one each time, so that nothing of it is cached.
      const query = `filter=${encodeURIComponent(worst)}&createdAtFrom=${from()}`;
      const options = { headers: { 'X-API-Key': key }, signal: end.signal };
      await fetch(`${service}/v1/employees?${query}`, options)
        .then(answer => answer.arrayBuffer())
        .catch(() => {});
    }
  }
  const asking = Array.from({ length: clients }, ask);
  return async () => {
    end.abort();
    await Promise.all(asking);
  };
}

function from(): string {
  return new Date(1_600_000_000_000 + Math.floor(Math.random() * 1e9)).toISOString();
}
