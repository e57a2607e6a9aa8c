export default {
  prompts: 'Prompts',
  count: (count: string) => (count === '1' ? '1 prompt' : `${count} prompts`),
  argumentsOf: (name: string) => `Arguments of ${name}`,
  required: 'required',
  getAndInsert: 'Get and insert',
  getting: 'Getting the prompt…',
  left: (count: string) =>
    count === '1' ? '1 block without text was left out.' : `${count} blocks without text were left out.`,
  hint: 'Type / to use a prompt',
}
