// A table whose rows are known beforehand.

/** A design whose rows follow from it alone. */
export const DESIGN = {
  rowscape: 1,
  name: 'Orders by customer',
  fields: [
    { name: 'customer', type: 'text' },
    { name: 'at', type: 'time', format: 'yyyy-MM-dd HH:mm' },
  ],
  arrival: 'at',
  rowkey: "customer + '_' + at.format('yyyyMMddHHmm')",
  splits: { points: ['b', 'c'] },
  queries: [{ name: 'one customer', where: { customer: 'bob' } }],
};

/** Two rows a minute for an hour: 60 of alice, 60 of carol, none between. */
export const RECORDS = `customer,at\n${Array.from({ length: 60 }, (_, minute) => {
  const at = `2024-05-01 00:${String(minute).padStart(2, '0')}`;
  return `alice,${at}\ncarol,${at}\n`;
}).join('')}`;
