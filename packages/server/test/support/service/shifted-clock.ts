// Loaded before a process (`node --import`): its clock goes ahead by KONTOR_TEST_CLOCK_SHIFT milliseconds.
const shift = Number(process.env.KONTOR_TEST_CLOCK_SHIFT);

globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + shift] : args, newTarget) as Date,
  apply: target => new target(target.now() + shift).toString(),
  get: (target, name, receiver) =>
    name === 'now' ? () => target.now() + shift : (Reflect.get(target, name, receiver) as unknown),
});
