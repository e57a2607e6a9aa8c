export default {
  prompts: 'Prompts',
  count: (count: string) => (count === '1' ? '1 prompt' : `${count} prompts`),
  argumentsOf: (name: string) => `Arguments of ${name}`,
  required: 'required',
  getAndInsert: 'Get and insert',
  getting: 'Getting the prompt…',
  left: (count: string) =>
    count === '1' ? '1 part without text was left out.' : `${count} parts without text were left out.`,
  hint: 'Type / to use a prompt',
}
