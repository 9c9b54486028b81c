;; Arithmetic on rows of int8 numbers; `vector-rows.ts` lays out the memory. A row is a multiple of 16 bytes long, addresses and lengths are bytes.
(module
  (memory (export "memory") 1)

  ;; The dot product of two rows.
  (func (export "dot") (param $first i32) (param $second i32) (param $length i32) (result i32)
    (local $end i32)
    (local $a v128)
    (local $b v128)
    (local $sum v128)
    (local.set $end (i32.add (local.get $first) (local.get $length)))
    (loop $next
      (local.set $a (v128.load (local.get $first)))
      (local.set $b (v128.load (local.get $second)))
      (local.set $sum
        (i32x4.add
          (local.get $sum)
          (i32x4.add
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_low_i8x16_s (local.get $a) (local.get $b)))
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_high_i8x16_s (local.get $a) (local.get $b))))))
      (local.set $first (i32.add (local.get $first) (i32.const 16)))
      (local.set $second (i32.add (local.get $second) (i32.const 16)))
      (br_if $next (i32.lt_u (local.get $first) (local.get $end))))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))

  ;; Adds `$factor` times a row to `$sums`, a float64 for each number of the row.
  (func (export "add") (param $row i32) (param $length i32) (param $factor f64) (param $sums i32)
    (local $end i32)
    (local $factors v128)
    (local $four v128)
    (local.set $end (i32.add (local.get $row) (local.get $length)))
    (local.set $factors (f64x2.splat (local.get $factor)))
    (loop $next
      (local.set $four
        (i32x4.extend_low_i16x8_s (i16x8.extend_low_i8x16_s (v128.load32_zero (local.get $row)))))
      (v128.store
        (local.get $sums)
        (f64x2.add
          (v128.load (local.get $sums))
          (f64x2.mul (local.get $factors) (f64x2.convert_low_i32x4_s (local.get $four)))))
      (v128.store offset=16
        (local.get $sums)
        (f64x2.add
          (v128.load offset=16 (local.get $sums))
          (f64x2.mul
            (local.get $factors)
            (f64x2.convert_low_i32x4_s
              (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $four) (local.get $four))))))
      (local.set $row (i32.add (local.get $row) (i32.const 4)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $row) (local.get $end))))))
