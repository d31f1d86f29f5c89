package sstable

import "hash/fnv"

const bitsPerKey = 10

// bloom answers "certainly not" or "maybe". With 10 bits per key about 1 % of the maybes are wrong.
type bloom struct {
	bits   []uint64
	hashes uint32
}

func newBloom(keys int) *bloom {
	words := (keys*bitsPerKey + 63) / 64
	return &bloom{bits: make([]uint64, max(words, 1)), hashes: 7}
}

func (b *bloom) add(key string) {
	h1, h2 := split(key)
	for i := uint32(0); i < b.hashes; i++ {
		bit := (h1 + i*h2) % uint32(len(b.bits)*64)
		b.bits[bit/64] |= 1 << (bit % 64)
	}
}

func (b *bloom) mayContain(key string) bool {
	h1, h2 := split(key)
	for i := uint32(0); i < b.hashes; i++ {
		bit := (h1 + i*h2) % uint32(len(b.bits)*64)
		if b.bits[bit/64]&(1<<(bit%64)) == 0 {
			return false
		}
	}
	return true
}

func split(key string) (uint32, uint32) {
	h := fnv.New64a()
	h.Write([]byte(key))
	sum := h.Sum64()
	return uint32(sum), uint32(sum>>32) | 1
}
