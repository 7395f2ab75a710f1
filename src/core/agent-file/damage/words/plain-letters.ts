/** Letters of other alphabets that look like those of ours. */
import { once } from '../../../once.js'

/** Wide letters, mathematical ones, and those of other alphabets that look like ours. */
export function inPlainLetters(key: string): string {
  if (key.length > maxWord || !/[\u0370-\u052f\ud835\uff00-\uffef]/.test(key)) return key
  return key.normalize('NFKC').replace(/[\u0370-\u052f]/g, letter => lookalikes()[letter] ?? letter)
}

const lookalikes = once(
  (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [...'аaвbсcеeԁdһhіiјjкkӏlмmоoрpԛqѕsтtуyхxαaεeιiκkνvοoρpτtυuАAВBСCЕEНHІIКKМMОOРPЅSТTХX'.matchAll(/(.)(.)/g)].map(
        ([, foreign, plain]) => [foreign!, plain!],
      ),
    ),
)

const maxWord = 80
