;; The two passes over every document that a search by meaning begins with; `sign-differences.ts` lays out the memory that they work in.
;; A document has 128 signs, 16 bytes. Addresses and lengths are bytes, numbers of documents are u32.
(module
  (memory (export "memory") 1)

  ;; The signs of the query, 16 bytes.
  (global $query i32 (i32.const 0))
  ;; By difference, 0 to 128: live documents that have it, 129 numbers.
  (global $counts i32 (i32.const 16))

  ;; Writes of each document in how many signs it differs from the query, a byte each and 255 for one that is not live, and counts
  ;; the live ones by it. `$counts` is to be empty.
  (func (export "count") (param $documents i32) (param $signs i32) (param $live i32) (param $differences i32)
    (local $first i64)
    (local $second i64)
    (local $end i32)
    (local $difference i32)
    (local $count i32)
    (local.set $first (i64.load (global.get $query)))
    (local.set $second (i64.load offset=8 (global.get $query)))
    (local.set $end (i32.add (local.get $live) (local.get $documents)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $live) (local.get $end)))
        (local.set $difference
          (i32.wrap_i64
            (i64.add
              (i64.popcnt (i64.xor (i64.load (local.get $signs)) (local.get $first)))
              (i64.popcnt (i64.xor (i64.load offset=8 (local.get $signs)) (local.get $second))))))
        (if (i32.load8_u (local.get $live))
          (then
            (local.set $count
              (i32.add (global.get $counts) (i32.shl (local.get $difference) (i32.const 2))))
            (i32.store (local.get $count) (i32.add (i32.load (local.get $count)) (i32.const 1))))
          (else (local.set $difference (i32.const 255))))
        (i32.store8 (local.get $differences) (local.get $difference))
        (local.set $signs (i32.add (local.get $signs) (i32.const 16)))
        (local.set $live (i32.add (local.get $live) (i32.const 1)))
        (local.set $differences (i32.add (local.get $differences) (i32.const 1)))
        (br $next))))

  ;; Writes the numbers of the documents that differ in fewer than `$least` signs to `$near`, and of the first `$limit` that differ in
  ;; just as many to `$tied`; gives how many there are of each. Sixteen documents are looked at in one, so the bytes after the last
  ;; difference are to be 255 up to a multiple of 16.
  (func (export "collect")
    (param $documents i32) (param $differences i32) (param $least i32) (param $near i32) (param $tied i32) (param $limit i32)
    (result i32 i32)
    (local $document i32)
    (local $end i32)
    (local $difference i32)
    (local $nearEnd i32)
    (local $tiedEnd i32)
    (local $tiedMost i32)
    (local.set $nearEnd (local.get $near))
    (local.set $tiedEnd (local.get $tied))
    (local.set $tiedMost (i32.add (local.get $tied) (i32.shl (local.get $limit) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $document) (local.get $documents)))
        (local.set $end (i32.add (local.get $document) (i32.const 16)))
        (if
          (v128.any_true
            (i8x16.le_u
              (v128.load (i32.add (local.get $differences) (local.get $document)))
              (i8x16.splat (local.get $least))))
          (then
            (loop $one
              (local.set $difference (i32.load8_u (i32.add (local.get $differences) (local.get $document))))
              (if (i32.lt_u (local.get $difference) (local.get $least))
                (then
                  (i32.store (local.get $nearEnd) (local.get $document))
                  (local.set $nearEnd (i32.add (local.get $nearEnd) (i32.const 4))))
                (else
                  (if
                    (i32.and
                      (i32.eq (local.get $difference) (local.get $least))
                      (i32.lt_u (local.get $tiedEnd) (local.get $tiedMost)))
                    (then
                      (i32.store (local.get $tiedEnd) (local.get $document))
                      (local.set $tiedEnd (i32.add (local.get $tiedEnd) (i32.const 4)))))))
              (local.set $document (i32.add (local.get $document) (i32.const 1)))
              (br_if $one (i32.lt_u (local.get $document) (local.get $end))))))
        (local.set $document (local.get $end))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $nearEnd) (local.get $near)) (i32.const 2))
    (i32.shr_u (i32.sub (local.get $tiedEnd) (local.get $tied)) (i32.const 2))))
